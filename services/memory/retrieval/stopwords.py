"""Words that say nothing about what a text is about.

English with its question words, and the commonest function words of other languages that are no English content words
(so not German `die` or `war`, not Italian `come`). All casefolded, without accents and apostrophes.
"""

_ENGLISH = """
a about above after again against all also am an and any anybody anyone anything are arent as at be because been before
being below between both but by can cannot cant could couldnt did didnt do does doesnt doing done dont down during each
either else ever every everything few for from further get gets getting got had hadnt has hasnt have havent having he
hed her here hers herself hes hi him himself his how however hows i id if ill im in into is isnt it its itself ive just
let lets like ll many may me might mine more most much must my myself neither no nor not now of off oh ok okay on once
one only or other others ought our ours ourselves out over own per please quite rather re really s same shall shant she
shed shell shes should shouldnt since so some somebody someone something still such t than thanks that thatll thats the
their theirs them themselves then there theres these they theyd theyll theyre theyve thing things this those though
through to too under until up upon us ve very via was wasnt we wed were weve werent what whatever whats when whenever
whens where wheres whether which while who whom whos whose why whys will with within without wont would wouldnt yeah yes
yet you youd youll your youre yours yourself yourselves youve
tell know kind sort lot
"""

_OTHERS = """
el la los las un una unos unas del al que como cual cuando donde quien por para con sin sobre es son fue era esta este
eso esa su sus mi mis tu tus se lo le les muy mas pero y o en de si
le la les un une des du de et ou est sont etait au aux ce cette ces qui que quoi quand comment ou pourquoi avec sans sur
dans par pour je tu il elle nous vous ils elles ne pas plus mon ma mes ton ta tes son sa ses leur leurs quel quelle
quels quelles
der das den dem des ein eine einen einem einer eines und oder aber ist sind wie wo wer wann warum welche welcher welches
mit ohne fur von vom zu zum zur im auf ich du er sie es wir ihr mein meine dein deine sein seine nicht auch noch nur hat
habe haben wird werden wurde
il lo gli uno e ed o che chi quando dove perche quale quali con per tra fra di da del della dello dei degli delle nel
nella sul sulla sono era mio mia suo sua non piu anche
os um uma uns umas e ou que quem quando onde qual quais com sem sobre em do da dos das no na nos nas pelo pela eu ele
ela meu minha seu sua nao mais muito foi
het een en van voor niet wat wie waar wanneer waarom hoe zijn wordt ik jij mijn naar bij ook
и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от меня еще нет о
из ему когда где кто какой какая какие какое почему ли это этот эта для мы они мой моя наш ваш
"""

STOP_WORDS = frozenset((_ENGLISH + _OTHERS).split()) - {"no", "na", "o"}
