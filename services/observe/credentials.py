"""What credentials look like, as patterns of RE2: what a blacklist holds by default.

A pattern asks for the shape of a real value. Names, places and placeholders of credentials (`Bearer <token>`,
`$API_KEY`, "the password is wrong"), hashes and UUIDs are the daily bread of the calls that are recorded, and do not
match. Quotes and slashes may have a backslash before them, and `\\n` and `\\t` may be spelled out, since the text of a
tool often is JSON itself.
"""

# The start of a word, also where JSON spells out the blank before it.
_B = r"(?:\b|\\[nrt])"
_QUOTE = r"""["'\x60\\]*"""
_IS = rf"{_QUOTE}\s*(?:=>|:=|=|:)\s*{_QUOTE}"
# The start of a value that looks random: a digit with more behind it, which names and prose hardly have.
_MIXED = r"[A-Za-z._~+/_=-]{0,24}[0-9][A-Za-z0-9._~+/_=-]{8}"

PRIVATE_KEYS = (
    r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----",
    r"PuTTY-User-Key-File-[0-9]+:",
    rf"{_B}AGE-SECRET-KEY-1[0-9A-Z]{{50}}",
)

CLOUD_TOKENS = (
    # Amazon: key ids, and the secret that belongs to one
    rf"{_B}(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{{16}}\b",
    rf"(?i:aws_?(?:secret|session)_?(?:access_?)?(?:key|token)){_IS}[A-Za-z0-9/+=]{{16}}",
    rf"{_B}(?i:SecretAccessKey|SessionToken){_IS}[A-Za-z0-9/+=]{{30}}",
    # Google
    rf"{_B}AIza[0-9A-Za-z_-]{{30}}",
    rf"{_B}ya29\.[0-9A-Za-z_-]{{20}}",
    rf"{_B}GOCSPX-[0-9A-Za-z_-]{{20}}",
    # Azure: storage and bus keys, shared signatures, client secrets
    r"(?i:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40}",
    r"[?&]sig=[A-Za-z0-9%+/_-]{30}",
    rf"{_B}[A-Za-z0-9_.~-]{{3}}8Q~[A-Za-z0-9_.~-]{{31}}",
    # others
    rf"{_B}do[opr]_v1_[a-f0-9]{{40}}",
    rf"{_B}dapi[a-f0-9]{{32}}",
    rf"{_B}hv[sbr]\.[A-Za-z0-9_-]{{24}}",
    rf"{_B}[A-Za-z0-9]{{14}}\.atlasv1\.[A-Za-z0-9_-]{{40}}",
)

FORGE_TOKENS = (
    rf"{_B}gh[pousr]_[A-Za-z0-9]{{20}}",
    rf"{_B}github_pat_[A-Za-z0-9_]{{20}}",
    rf"{_B}gl(?:pat|ptt|dt|rt|cbt|ft|soat|agent|oas|imt|ffct)-[A-Za-z0-9_-]{{16}}",
    rf"{_B}GR1348941[A-Za-z0-9_-]{{20}}",
    rf"{_B}ATATT3[A-Za-z0-9_=-]{{30}}",
    rf"{_B}ATBB[A-Za-z0-9]{{28}}",
    rf"{_B}npm_[A-Za-z0-9]{{30}}",
    r"_authToken\s*=\s*[A-Za-z0-9_/+=-]{8}",
    rf"{_B}pypi-AgE[A-Za-z0-9_-]{{16}}",
    rf"{_B}dckr_pat_[A-Za-z0-9_-]{{20}}",
    rf"{_B}rubygems_[a-f0-9]{{40}}",
    rf"{_B}cio[A-Za-z0-9]{{32}}\b",
)

SERVICE_TOKENS = (
    rf"{_B}xox[abeoprs]-[A-Za-z0-9-]{{10}}",
    rf"{_B}xapp-[0-9]-[A-Za-z0-9-]{{20}}",
    r"hooks\.slack\.com/services/T[A-Za-z0-9_]{8,}/B[A-Za-z0-9_]{8,}/[A-Za-z0-9]{16}",
    rf"{_B}[rs]k_(?:live|test)_[0-9A-Za-z]{{16}}",
    rf"{_B}whsec_[0-9A-Za-z+/]{{24}}",
    rf"{_B}sk-(?:proj|svcacct|admin|ant|or)-[A-Za-z0-9_-]{{16}}",
    rf"{_B}sk-[A-Za-z0-9]{{20}}",
    rf"{_B}hf_[A-Za-z0-9]{{30}}",
    rf"{_B}SG\.[A-Za-z0-9_-]{{16,}}\.[A-Za-z0-9_-]{{16}}",
    rf"{_B}shp(?:at|ca|pa|ss)_[a-fA-F0-9]{{32}}",
    rf"{_B}lin_(?:api|oauth)_[A-Za-z0-9]{{32}}",
    rf"{_B}glsa_[A-Za-z0-9]{{32}}",
    rf"{_B}sntry[su]_[A-Za-z0-9_=+/-]{{32}}",
    rf"{_B}PMAK-[a-f0-9]{{24}}-[a-f0-9]{{34}}",
    rf"{_B}[0-9]{{8,10}}:AA[A-Za-z0-9_-]{{33}}",
    rf"{_B}eyJ[A-Za-z0-9_-]{{8,}}\.eyJ[A-Za-z0-9_-]{{6,}}\.[A-Za-z0-9_-]{{8}}",
)

HEADERS = (
    # no placeholder such as YOUR_TOKEN: a lower-case letter, a digit or a sign
    rf"(?i:\bauthorization){_IS}(?i:bearer|basic|token|digest|bot|apikey)\s+[A-Z_]*[a-z0-9.~+/=-][A-Za-z0-9._~+/=-]{{7}}",
    rf"(?i:\bbearer)\s+{_MIXED}",
    rf"(?i:\b(?:x-)?(?:api-key|auth-token|access-token|private-token|job-token|vault-token)){_IS}{_MIXED}",
    rf"(?i:\b(?:set-)?cookie):[^\n]*(?i:sess|token|auth)[A-Za-z0-9_.-]*={_MIXED}",
)

# A user and a password before the host, where the password is no placeholder; and the same for curl's `-u`.
URLS = (
    r""":\\?/\\?/[^\s/?#:@"'<>{}$\\]*:[^\s/?#@"'<>{}$*%\\][^\s/?#@"'<>\\]*@[A-Za-z0-9\[]""",
    rf"""\bcurl\b[^\n|;]*\s(?:-u|--user)[ =]?{_QUOTE}[A-Za-z0-9._@-]+:[^\s"'$<{{*:\\][^\s"'\\]{{3}}""",
)

# Names that are secret by their last word, in the manner of environment variables.
_SENSITIVE = (
    r"(?:[A-Z0-9]+_)*(?:SECRETS?|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|APIKEY|SECRET_KEY_BASE"
    r"|(?:API|SECRET|PRIVATE|ACCESS|ENCRYPTION|SIGNING|MASTER|AUTH|ACCOUNT|SERVICE)_KEY|[A-Z0-9]+_(?:PASS|PWD|DSN))"
    r"(?:_(?:[0-9]+|PROD|PRODUCTION|STAGING|DEV|TEST|LIVE))?"
)
_VALUE = rf"""={_QUOTE}[^\s"'\x60$<{{(\\\[*][^\s"'\x60\\]{{2}}"""
# What may stand before a name: grep's file, a line's number, a diff's sign, `export`.
_NUMBER = r"[ \t]*(?:[^\s:=\\]*:)?(?:[0-9]+[ \t]*(?:→|\\t|[\t:|])[ \t]*)?[+-]?"
_BEFORE = rf"{_NUMBER}(?:(?:export|declare -x|set|ENV)[ \t]+)?"
_LINE = r"[^\n\\]*(?:\\[^n][^\n\\]*)*"
_BREAK = r"(?:\\r|\r)?(?:\\n|\n)"
_START = rf"(?m:^|[\"'\x60]|\\n){_BEFORE}"
_NEXT = rf"{_BREAK}(?:{_NUMBER}(?:#{_LINE})?{_BREAK})*{_BEFORE}"
DUMPS = (
    # lines of NAME=value, one of them secret by its name and with a literal value
    rf"{_START}{_SENSITIVE}{_VALUE}{_LINE}{_NEXT}[A-Z][A-Z0-9_]*=",
    rf"{_START}[A-Z][A-Z0-9_]*={_LINE}{_NEXT}{_SENSITIVE}{_VALUE}",
    rf"(?:^|[\s\"'\x60;])[A-Z][A-Z0-9_]*=[^\s;]*[ \t;]+{_SENSITIVE}{_VALUE}",
    # one line by itself, or one field, if its value looks random
    rf"{_START}{_SENSITIVE}={_QUOTE}{_MIXED}",
    rf"(?i:(?:api|secret|private)_?key|client_?secret|(?:access|auth|refresh|id|private)_?token){_QUOTE}\s*[:=]\s*\\?[\"']{_MIXED}",
)

PATTERNS = (*PRIVATE_KEYS, *CLOUD_TOKENS, *FORGE_TOKENS, *SERVICE_TOKENS, *HEADERS, *URLS, *DUMPS)
