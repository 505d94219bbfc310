"""The ClickHouse functions that a mapping may call.

Each works on its arguments alone: none reads another table, a dictionary, a file, a setting, the network or who is
logged in, none depends on the order of rows or on chance, none multiplies rows or makes much out of little.
The clock is allowed, since "private until" and "of the last two years" are honest things to say of a row.
"""

from itertools import product

_TEXT = """
lower upper lcase ucase lowerUTF8 upperUTF8 initcap initcapUTF8 length lengthUTF8 char_length character_length empty
notEmpty concat concatWithSeparator substring substr mid substringUTF8 substringIndex substringIndexUTF8 left right
leftUTF8 rightUTF8 reverse reverseUTF8 trim trimLeft trimRight trimBoth ltrim rtrim position positionUTF8
positionCaseInsensitive positionCaseInsensitiveUTF8 startsWith endsWith startsWithUTF8 endsWithUTF8 replace replaceOne
replaceAll replaceRegexpOne replaceRegexpAll translate translateUTF8 splitByChar splitByString splitByRegexp
splitByWhitespace splitByNonAlpha alphaTokens arrayStringConcat extract extractAll extractGroups extractAllGroups
extractAllGroupsVertical extractAllGroupsHorizontal match like notLike ilike notILike countSubstrings
countSubstringsCaseInsensitive countMatches countMatchesCaseInsensitive hasToken hasTokenCaseInsensitive multiSearchAny
multiSearchAnyCaseInsensitive multiSearchFirstIndex multiSearchFirstPosition format toValidUTF8 isValidUTF8 ascii char
hex unhex base64Encode base64Decode tryBase64Decode encodeURLComponent decodeURLComponent decodeHTMLComponent
decodeXMLComponent extractTextFromHTML normalizeUTF8NFC normalizeUTF8NFKC normalizeQuery toStringCutToZero
domain domainWithoutWWW topLevelDomain protocol path pathFull fragment queryString cutFragment cutQueryString
cutQueryStringAndFragment cutURLParameter extractURLParameter extractURLParameterNames extractURLParameters
damerauLevenshteinDistance editDistance jaroSimilarity jaroWinklerSimilarity
"""
_LOGIC = """
if multiIf ifNull nullIf coalesce assumeNotNull toNullable isNull isNotNull isZeroOrNull and or not xor equals notEquals
less greater lessOrEquals greaterOrEquals transform tuple tupleElement isNaN isFinite isInfinite ifNotFinite
"""
_NUMBERS = """
plus minus multiply divide intDiv intDivOrZero modulo moduloOrZero positiveModulo negate abs sign round roundBankers
floor ceil ceiling trunc truncate least greatest sqrt cbrt exp exp2 exp10 log ln log2 log10 log1p pow power gcd lcm bitAnd
bitOr bitXor bitNot bitShiftLeft bitShiftRight bitTest bitCount max2 min2 widthBucket
"""
_DATES = """
now now64 today yesterday toTimeZone timeZoneOf timeZoneOffset toYear toQuarter toMonth toDayOfYear toDayOfMonth
toDayOfWeek toHour toMinute toSecond toMillisecond toISOYear toISOWeek toWeek toYearWeek toMonday toYYYYMM toYYYYMMDD
toYYYYMMDDhhmmss toStartOfYear toStartOfISOYear toStartOfQuarter toStartOfMonth toLastDayOfMonth toStartOfWeek
toLastDayOfWeek toStartOfDay toStartOfHour toStartOfMinute toStartOfSecond toStartOfFiveMinutes toStartOfTenMinutes
toStartOfFifteenMinutes toStartOfInterval toTime toRelativeDayNum toUnixTimestamp toUnixTimestamp64Second
toUnixTimestamp64Milli toUnixTimestamp64Micro toUnixTimestamp64Nano fromUnixTimestamp fromUnixTimestamp64Second
fromUnixTimestamp64Milli fromUnixTimestamp64Micro fromUnixTimestamp64Nano dateDiff date_diff age dateTrunc date_trunc
dateName monthName formatDateTime formatDateTimeInJodaSyntax makeDate makeDate32 makeDateTime makeDateTime64
parseDateTime parseDateTimeOrNull parseDateTimeOrZero parseDateTimeInJodaSyntax parseDateTimeInJodaSyntaxOrNull
parseDateTimeInJodaSyntaxOrZero parseDateTime64 parseDateTime64OrNull parseDateTime64OrZero
toUTCTimestamp fromUTCTimestamp YYYYMMDDToDate YYYYMMDDhhmmssToDateTime
"""
_ARRAYS = """
array arrayElement arrayElementOrNull arrayMap arrayFilter arrayExists arrayAll arrayCount arrayFirst arrayFirstOrNull
arrayFirstIndex arrayLast arrayLastOrNull arrayLastIndex arrayConcat arrayDistinct arrayCompact arraySlice arraySort
arrayReverseSort arrayReverse arrayZip arrayFlatten arrayEnumerate arrayUniq arrayMin arrayMax arraySum arrayAvg
arrayPushBack arrayPushFront arrayPopBack arrayPopFront arrayIntersect arrayUnion arrayExcept arrayRemove arraySplit
arrayReverseSplit arrayCumSum arrayDifference arrayJaccardIndex has hasAll hasAny hasSubstr indexOf countEqual
emptyArrayString emptyArrayInt64 emptyArrayUInt64 map mapFromArrays mapKeys mapValues mapContains mapContainsKey
mapContainsKeyLike mapContainsValue mapExtractKeyLike mapFilter mapApply mapConcat mapUpdate
"""
_JSON = """
JSONExtract JSONExtractString JSONExtractInt JSONExtractUInt JSONExtractFloat JSONExtractBool JSONExtractRaw
JSONExtractArrayRaw JSONExtractKeys JSONExtractKeysAndValues JSONExtractKeysAndValuesRaw JSONHas JSONLength JSONKey
JSONType JSONArrayLength JSON_VALUE JSON_QUERY JSON_EXISTS isValidJSON toJSONString simpleJSONExtractString
simpleJSONExtractInt simpleJSONExtractUInt simpleJSONExtractFloat simpleJSONExtractBool simpleJSONExtractRaw
simpleJSONHas visitParamExtractString visitParamExtractInt visitParamExtractUInt visitParamExtractFloat
visitParamExtractBool visitParamExtractRaw visitParamHas
"""
_HASHES = """
cityHash64 sipHash64 sipHash128 xxHash32 xxHash64 xxh3 farmHash64 metroHash64 murmurHash2_32 murmurHash2_64
murmurHash3_32 murmurHash3_64 halfMD5 intHash32 intHash64 MD5 SHA1 SHA224 SHA256 SHA512 CRC32 CRC32IEEE CRC64
javaHash wyHash64
"""

_INTEGERS = [f"{sign}Int{bits}" for sign, bits in product(("", "U"), (8, 16, 32, 64, 128, 256))]
_CONVERTED = [*_INTEGERS, "Float32", "Float64", "Date", "Date32", "DateTime", "DateTime64", "UUID"]
_CONVERTED += [f"Decimal{bits}" for bits in (32, 64, 128, 256)]
_CONVERSIONS = [f"to{kind}{suffix}" for kind, suffix in product(_CONVERTED, ("", "OrNull", "OrZero", "OrDefault"))]
_PARSES = [
    f"parseDateTime{wide}BestEffort{flavour}{suffix}"
    for wide, flavour, suffix in product(("", "64", "32"), ("", "US"), ("", "OrNull", "OrZero"))
    if (wide, flavour) != ("32", "US")
]
_UNITS = ["Year", "Quarter", "Month", "Week", "Day", "Hour", "Minute", "Second", "Millisecond"]
_STEPS = [f"{verb}{unit}s" for verb, unit in product(("add", "subtract"), _UNITS)]
INTERVALS: dict[str, str] = {unit.upper(): f"toInterval{unit}" for unit in _UNITS}
_MORE = ["toString", "toBool", "toFixedString", "accurateCastOrNull", "accurateCastOrDefault"]

_WRITTEN = " ".join((_TEXT, _LOGIC, _NUMBERS, _DATES, _ARRAYS, _JSON, _HASHES)).split()
_NAMES = [*_WRITTEN, *_CONVERSIONS, *_PARSES, *_STEPS, *INTERVALS.values(), *_MORE]

# Name in lower case -> the name as ClickHouse spells it.
FUNCTIONS: dict[str, str] = {name.lower(): name for name in _NAMES}
