import type { JsonValue } from './json.ts';

/**
 * JSON text as a part of a tree of JSON, for text that is only passed on: `stringifyJson` copies it
 * where it is long, instead of writing a value that was parsed for this alone.
 */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): JsonValue {
    return JSON.parse(this.text) as JsonValue;
  }
}
