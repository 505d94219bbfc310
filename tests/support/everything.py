"""A message with every type of field that the contract allows, more than today's contract uses."""

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from tests.support.protos import compile_proto

SOURCE = """
enum Colour { COLOUR_UNSPECIFIED = 0; COLOUR_RED = 1; COLOUR_BLUE = 7; }

message Child {
  string name = 1;
  int32 big_count = 2;
  repeated Child kids = 3;
  repeated string tags = 4;
}

message One { optional int64 only = 1; }

message Everything {
  int32 i32 = 1; sint32 s32 = 2; sfixed32 sf32 = 3; uint32 u32 = 4; fixed32 f32 = 5;
  int64 i64 = 6; sint64 s64 = 7; sfixed64 sf64 = 8; uint64 u64 = 9; fixed64 f64 = 10;
  double real = 11; bool flag = 12; string text = 13; bytes data = 14; Colour colour = 15;
  optional int32 maybe_i32 = 16; optional int64 maybe_i64 = 17; optional double maybe_real = 18;
  optional bool maybe_flag = 19; optional string maybe_text = 20; optional bytes maybe_data = 21;
  optional Colour maybe_colour = 22;
  repeated int32 i32_list = 23; repeated int64 i64_list = 24; repeated double real_list = 25;
  repeated bool flag_list = 26; repeated string text_list = 27; repeated bytes data_list = 28;
  repeated Colour colour_list = 29;
  map<string, int64> counts = 30; map<string, string> labels = 31; map<string, Child> children = 32;
  map<string, bytes> blobs = 33; map<string, double> reals = 34;
  Child child = 35; repeated Child child_list = 36; One one = 37;
  string from = 38; string self = 39;
  string any_json = 40 [(loom.options.v1.field) = {json_text: true}];
  optional string maybe_json = 41 [(loom.options.v1.field) = {json_text: true}];
  repeated string json_list = 42 [(loom.options.v1.field) = {json_text: true}];
  map<string, string> json_map = 43 [(loom.options.v1.field) = {json_text: true}];
  repeated Child answered = 44 [(loom.options.v1.field) = {answered_by: "results"}];
}
"""

FILE = compile_proto("loom_test.everything", SOURCE)
Everything: type[Message] = GetMessageClass(FILE.message_types_by_name["Everything"])
Child: type[Message] = GetMessageClass(FILE.message_types_by_name["Child"])
