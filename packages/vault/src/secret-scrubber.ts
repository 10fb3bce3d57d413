import { type JsonValue, jsonObjectIn } from '@sluice/domain';
import { redactedText } from './redaction.ts';

/** Shorter texts are left alone: they occur in data by chance, and replacing them would spoil it. */
const minSecretLength = 4;
const minBase64Length = 6;

/**
 * Takes the secrets that an execution has used out of what is stored and logged of it: as they are, URL-encoded, in hexadecimal digits, and in base64 (at any
 * offset within an encoded text, as in a Basic header). What is made of a secret in another way, a hash or a token say, is not
 * recognized unless it is added too.
 */
export class SecretScrubber {
  readonly #secrets = new Set<string>();
  /** The forms in which secrets occur; longer ones first, since one may be part of another. */
  #forms: readonly string[] = [];
  /** The same as they stand in JSON text. */
  #jsonForms: readonly string[] = [];

  /** Adds every text within a value, also where a text holds an object as JSON; names of fields excepted. */
  add(value: JsonValue): void {
    const before = this.#secrets.size;
    for (const text of textsIn(value)) if (text.length >= minSecretLength) this.#secrets.add(text);
    if (this.#secrets.size === before) return;
    const forms = new Set([...this.#secrets].flatMap(formsOf));
    this.#forms = [...forms].sort((a, b) => b.length - a.length);
    this.#jsonForms = this.#forms.map((form) => JSON.stringify(form).slice(1, -1));
  }

  /** Nothing to scrub has been added yet. */
  get isEmpty(): boolean {
    return this.#secrets.size === 0;
  }

  /** Plain text without the secrets. */
  scrubText(text: string): string {
    let scrubbed = text;
    for (const form of this.#forms) {
      if (scrubbed.includes(form)) scrubbed = scrubbed.replaceAll(form, redactedText);
    }
    return scrubbed;
  }

  /** The text that `JSON.stringify` gave for some data, without the secrets in its texts, numbers and names. */
  scrubJson(json: string): string {
    if (!this.#jsonForms.some((form) => json.includes(form))) return json;
    return JSON.stringify(this.scrubValue(JSON.parse(json) as JsonValue));
  }

  /** A copy of data without the secrets in its texts, numbers and names. */
  scrubValue(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.scrubText(value);
    if (typeof value === 'number') return this.#secrets.has(String(value)) ? redactedText : value;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((child) => this.scrubValue(child));
    // A null prototype: names are anybody's.
    const scrubbed = Object.create(null) as Record<string, JsonValue>;
    for (const [name, child] of Object.entries(value)) scrubbed[this.scrubText(name)] = this.scrubValue(child);
    return scrubbed;
  }
}

function* textsIn(value: JsonValue): Iterable<string> {
  if (typeof value === 'string') {
    yield value;
    yield* textsIn(jsonObjectIn(value) ?? null);
  } else if (typeof value === 'number') yield String(value);
  else if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) yield* textsIn(child);
  }
}

function formsOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret.toWellFormed());
  const hex = Buffer.from(secret).toString('hex');
  const forms = [secret, encoded, encoded.replaceAll('%20', '+'), hex, hex.toUpperCase(), ...base64Forms(secret)];
  const password = passwordInUrl(secret);
  return password === undefined || password.length < minSecretLength ? forms : [...forms, ...formsOf(password)];
}

/** Of a connection string. */
function passwordInUrl(text: string): string | undefined {
  const password = /^[a-z][a-z0-9+.-]*:\/\/[^/@:]*:([^/@]+)@/i.exec(text)?.[1];
  try {
    return password === undefined ? undefined : decodeURIComponent(password);
  } catch {
    return password;
  }
}

/** The characters of base64 that depend on the secret alone, for each of the three ways it can lie in what is encoded. */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const cores = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  const safe = cores.map((core) => core.replaceAll('+', '-').replaceAll('/', '_'));
  return [...cores, ...safe].filter((core) => core.length >= minBase64Length);
}
