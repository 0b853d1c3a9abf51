// Made by scripts/generate-schemas from docs/manifest.schema.json. Do not edit.
// swift-format-ignore-file

/// The format of manifests, for programs.
enum ManifestSchema {
    static let text = ##"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "$id": "https://widget-census.example/manifest.schema.json",
          "title": "Manifest of Widget Census",
          "description": "What one version of an app ships: its widget kinds. `widget-census manifests add` and `POST /v1/manifests` take it. Further rules that a schema can't state: no two kinds with the same surface and name, and a string has at most 500 bytes of UTF-8.",
          "type": "object",
          "required": ["app", "kinds"],
          "additionalProperties": false,
          "properties": {
            "app": {
              "type": "object",
              "required": ["id", "version"],
              "additionalProperties": false,
              "properties": {
                "id": {"description": "Bundle id or package name.", "$ref": "#/$defs/name"},
                "version": {"description": "The version as its devices will send it.", "$ref": "#/$defs/name"}
              }
            },
            "kinds": {
              "description": "Every kind that this version ships; empty if it ships none.",
              "type": "array",
              "maxItems": 1000,
              "items": {"$ref": "#/$defs/kind"}
            }
          },
          "$defs": {
            "name": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[^\\u0000]*$"},
            "names": {"type": ["array", "null"], "maxItems": 100, "uniqueItems": true, "items": {"$ref": "#/$defs/name"}},
            "kind": {
              "type": "object",
              "required": ["kind"],
              "additionalProperties": false,
              "properties": {
                "kind": {"description": "The widget's kind string; on Android the class of the provider.", "$ref": "#/$defs/name"},
                "surface": {
                  "description": "Where it lives; `widget` if absent.",
                  "enum": ["widget", "control", "live_activity", "today", null],
                  "default": "widget"
                },
                "families": {
                  "description": "The families that it offers, such as systemSmall. Absent: any. Empty: none, as a kind does that hides from the gallery.",
                  "$ref": "#/$defs/names"
                },
                "intent": {
                  "description": "Class name of the configuration intent; absent or null for a static configuration.",
                  "anyOf": [{"type": "null"}, {"$ref": "#/$defs/name"}],
                  "default": null
                },
                "migrates_from": {
                  "description": "Former intents whose settings the intent takes over (CustomIntentMigratedAppIntent). It needs an intent, and does not name it.",
                  "$ref": "#/$defs/names"
                },
                "replaces": {
                  "description": "The kind that this one is offered instead of; not itself.",
                  "anyOf": [{"type": "null"}, {"$ref": "#/$defs/name"}],
                  "default": null
                }
              }
            }
          }
        }

        """##
}
