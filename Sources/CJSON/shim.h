#pragma once
#include <json-c/json.h>
#include <json-c/json_object_iterator.h>
// Macros and function-like names that Swift does not import.
static inline struct json_tokener *jmix_json_tokener(void) { return json_tokener_new_ex(64); }
static inline int jmix_json_strict(void) { return JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8; }
