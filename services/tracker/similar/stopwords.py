"""Words that tell nothing about which defect a report describes."""

_FUNCTION_WORDS = """
a about above after again all also am an and any are aren as at be because been before being below between both but by
can cannot could couldn did didn do does doesn doing don done down during each either else even ever every few for from
further get gets getting got had hadn has hasn have haven having he her here him his how however i if in into is isn it
its itself just let like ll m many may me might more most much must my myself neither no nor not now of off on once only
or other our out over own per please quite rather re really s same shall she should shouldn since so some still such t
than that the their them then there these they this those though through to too under until up upon us ve very via was
wasn we were weren what when where whether which while who whom why will with within without won would wouldn yes yet
you your
hi hello thanks thank dear regards etc eg ie
"""

# What every report says of itself: kept as terms (their frequency makes them light), but no evidence on their own.
_REPORT_WORDS = """
actual actually behavior behaviour broken bug bugs case cause causes code crash crashed crashes crashing defect doesnt
error errors exception exceptions expected fail failed failing fails failure failures fix fixed happen happened happens
help incorrect issue issues log logs message need new nothing null occur occurs please problem problems reproduce
report result results run running sometimes step steps stop stopped stops support test tests throw thrown throws trace
try trying undefined unexpected unhandled unknown use used using version warning want wanted work worked working works
wrong
"""

STOP_WORDS = frozenset(_FUNCTION_WORDS.split())
REPORT_WORDS = frozenset(_REPORT_WORDS.split())
