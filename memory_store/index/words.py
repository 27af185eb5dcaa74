"""
Word lists of the analysis: stop words that tell languages apart, words that questions are made of, irregular forms.

Plain data. The function words are the commonest of each language, kept short: they only need to outvote one another.
"""

LANGUAGE_MARKS: dict[str, str] = {
    "en": "the and of to is was that it for with you this have are but not they from what been would their were which",
    "de": "der die das und ist nicht ich mit ein eine für auf dem den sich auch im zu von wird sind wir oder wie bei",
    "fr": "le la les des est et une dans pour que qui pas sur avec vous nous ce cette sont aux mais ou du je il",
    "es": "el la los las que y una por con para del es no se lo como más pero su al este está son muy yo ella",
    "it": "il che di è non per una sono con della gli nel alla ho ma anche del si come questo più le dei lo io lei",
    "pt": "o os que não uma com para do da em é por mais dos das se como foi ele ela são seu mas ao na no você eu",
    "nl": "de het een van en is dat niet op te zijn met voor ik je er maar ook aan om naar wat hij bij deze zij",
    "sv": "och att det som är en på för inte med jag av till den har om ett men var han hon kan ska från vi",
    "no": "og det er som på en av for ikke med jeg til at den har om et men var han hun kan skal fra vi ble",
    "da": "og det er som på en af for ikke med jeg til at den har om et men var han hun kan skal fra vi blev",
    "fi": "ja on ei se että oli hän en mutta kun niin ovat joka mitä minä myös vain tai jos sen olen",
    "hu": "a az és nem hogy is egy van ez de meg csak volt már még mint vagy azt ha ki nagyon el",
    "ro": "și în la cu de pe nu este un o care mai din că pentru sunt ce să dar al am fost",
    "ru": "и в не на что я с он как это по но из у за от же все так его она мы они был было для",
}
COMPOUNDING = frozenset({"de", "nl", "sv", "no", "da", "fi", "hu"})

# Indexed nowhere: they stand in almost every chunk and no question turns on them.
DROPPED = frozenset({"the", "a", "an", "and", "of", "to"})

# Left out of a question unless nothing else remains.
QUESTION_WORDS: dict[str, str] = {
    "en": """
        a about after all also am an and any are as at be because been before being both but by can cannot cant
        could did didnt do does doesnt doing done dont for from get gets getting got had has have having he her
        here hers him his how i if in into is isnt it its itself just kind let like likely made make makes many
        may me might more most much must my myself near no nor not now of off on once one only or other our ours
        out over own please really s said same say says shall she should so some such tell than that thats the
        their theirs them then there these they thing things this those though through to too under until up us
        use used using very want wanted was wasnt way we well were what whats when where which while who whom
        whos whose why will with would yes yet you your yours type person recently ever current currently per
        during between along did""",
    "de": """
        aber alle als am an auch auf aus bei bin bis bist da das dass dein dem den der des die du durch ein eine
        einem einen einer er es für hat habe haben hatte ich ihr ihre im in ist ja kann kein keine man mein mir
        mit nach nicht noch nun nur ob oder ohne sehr sein seine sich sie sind so und uns unter vom von vor wann
        war waren warum was wer weil wenn werden wie wir wird wo zu zum zur über welche welcher welches""",
    "fr": """
        au aux avec ce ces cette comment dans de des du elle elles en est et eu il ils je la le les leur lui
        mais me mes mon ne nous on ou où par pas pour pourquoi quand que quel quelle qui sa se ses son sont sur
        te tu un une vous y a ai as ont été""",
    "es": """
        a al como con cual cuando cuándo cuál de del dónde donde el ella ellas ellos en entre era es esta este
        fue ha han hay la las le lo los me mi muy no nos o para pero por porque qué que quien quién se ser si
        sin sobre son su sus te tu un una y ya yo""",
    "it": """
        a al alla che chi come con cosa da dal della di dove e è gli ha hai ho i il in io la le lei lo ma mi nel
        non o per perché più quale quando questo se sono su tra un una""",
    "pt": """
        a ao as com como da das de do dos e é ela ele em era essa esta este eu foi há isso já mais mas me na não
        nas no nos o onde os ou para pela pelo por porque qual quando que quem se sem seu sua são um uma""",
    "nl": """
        aan als bij dat de der deze die dit een en er had heb heeft het hij hoe ik in is je kan maar met mij
        mijn naar niet nog of om ook op te tot uit van voor waar waarom wanneer was wat we welke wie wij wordt
        ze zij zijn""",
    "ru": """
        а без был была были было быть в вам вас во вот все всё вы где да для до его ее если есть еще же за и из
        или им их к как какая какой кем когда кого который кто ли меня мне мы на не нет но о об он она они от по
        почему при с себя со так там то тоже только у уже что чтобы эта это я""",
}

_IRREGULAR = """
be am is are was were been being|have has had having|do does did done doing|go goes went gone going|get got gotten
make made|take took taken|see saw seen|know knew known|think thought|come came|give gave given|find found|tell told
say said|become became|leave left|feel felt|bring brought|begin began begun|keep kept|hold held|write wrote written
stand stood|hear heard|mean meant|meet met|run ran|pay paid|sit sat|speak spoke spoken|lead led|grow grew grown
lose lost|fall fell fallen|send sent|build built|understand understood|draw drew drawn|break broke broken
spend spent|rise rose risen|drive drove driven|buy bought|wear wore worn|choose chose chosen|teach taught
catch caught|fight fought|throw threw thrown|eat ate eaten|drink drank drunk|sing sang sung|swim swam swum
ride rode ridden|win won|fly flew flown|forget forgot forgotten|sell sold|seek sought|sleep slept|shake shook shaken
steal stole stolen|hide hid hidden|bite bit bitten|blow blew blown|freeze froze frozen|wake woke woken
tear tore torn|swear swore sworn|sweep swept|weep wept|lend lent|bend bent|lay laid|lie lain|light lit|shoot shot
shine shone|stick stuck|strike struck stricken|swing swung|dig dug|hang hung|feed fed|breed bred|bleed bled
flee fled|deal dealt|dream dreamt|burn burnt|learn learnt|spell spelt|kneel knelt|leap leapt|mow mown|sew sewn
show shown|sink sank sunk|spring sprang sprung|stink stank stunk|shrink shrank shrunk|ring rang rung|prove proven
man men|woman women|child children kid kids|foot feet|tooth teeth|goose geese|mouse mice|person people|life lives
wife wives|knife knives|leaf leaves|half halves|shelf shelves|wolf wolves|loaf loaves|thief thieves|calf calves
good better best|bad worse worst|mom mum mother|dad father|pic pics photo photograph picture|bike bicycle
tv television|fridge refrigerator|phd doctorate|exam examination|vet veterinarian|dr doctor|apartment flat
"""
LEMMAS: dict[str, str] = {
    form: group.split()[0]
    for line in _IRREGULAR.strip().splitlines()
    for group in line.split("|")
    for form in group.split()
}
