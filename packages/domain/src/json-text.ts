import type { JsonValue } from './json.ts';

/**
 * JSON text as a part of a JSON tree, for text that is only passed on. `stringifyJson` copies it into
 * the text of a large tree, which saves parsing and serializing it.
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
