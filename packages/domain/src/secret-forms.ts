/**
 * Minimum length of a secret that is removed: shorter strings occur in data by chance, and
 * replacing them would corrupt it.
 */
export const minFormLength = 4;
const minBase64Length = 6;

/**
 * Longer secrets are only searched for in the forms of the most common encoders: deriving the other
 * forms of 300,000 characters takes a second.
 */
const maxVariedLength = 8 * 1024;

/**
 * The forms in which a secret may occur in text: unchanged, in JSON, URL-encoded, in hexadecimal
 * digits, and in base64; and the same for the password in a connection string. May contain
 * duplicates.
 */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const forms = [secret, ...nestedJsonForms(secret), ...urlForms(secret), hex, hex.toUpperCase(), ...base64Forms(bytes)];
  const password = passwordInUrl(secret);
  return password === undefined || password.length < minFormLength ? forms : [...forms, ...formsOf(password)];
}

/** In JSON, and in JSON within a JSON string, as when a service echoes a body. */
function nestedJsonForms(secret: string): string[] {
  if (secret.length > maxVariedLength) return commonJsonForms(secret);
  const forms = jsonForms(secret);
  return [...forms, ...forms.flatMap(jsonForms)];
}

/** The distinct forms of a text in JSON: some encoders also escape non-ASCII or HTML characters. */
function jsonForms(text: string): string[] {
  const forms = commonJsonForms(text);
  const ascii = forms.map((form) => form.replace(/[^ -~]/g, unicodeEscape));
  return [...new Set([...forms, ...ascii, forms[0].replace(/[<>&\u2028\u2029]/g, unicodeEscape)])];
}

function commonJsonForms(text: string): [string, string] {
  const json = JSON.stringify(text).slice(1, -1);
  return [json, withSlashesEscaped(json)];
}

function withSlashesEscaped(json: string): string {
  return json.replaceAll('/', '\\/');
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * URL-encoded and form-encoded; encoders differ in the punctuation that they escape, and in letter
 * case.
 */
function urlForms(secret: string): string[] {
  const encoded = encodeURIComponent(secret.toWellFormed());
  if (secret.length > maxVariedLength) return [encoded, encoded.replaceAll('%20', '+'), inLowerCase(encoded)];
  const strict = encoded.replace(/[!'()*]/g, (mark) => `%${Buffer.from(mark).toString('hex').toUpperCase()}`);
  const inForm = new URLSearchParams([['', secret]]).toString().slice(1);
  const forms = [encoded, encoded.replaceAll('%20', '+'), strict, inForm, ...partlyEncoded(secret)];
  return [...forms, ...forms.map(inLowerCase)];
}

/**
 * The secret as encoded by `encodeURI` and the URL parser, which keep characters that are valid in
 * a part of a URL.
 */
function partlyEncoded(secret: string): string[] {
  const { password, search } = Object.assign(new URL('http://host'), { password: secret, search: secret });
  // The parser removes line breaks, so the rest may be short.
  return [encodeURI(secret.toWellFormed()), password, search.slice(1)].filter(({ length }) => length >= minFormLength);
}

function inLowerCase(encoded: string): string {
  return encoded.replace(/%../g, (code) => code.toLowerCase());
}

function passwordInUrl(text: string): string | undefined {
  const password = /^[a-z][a-z0-9+.-]*:\/\/[^/@:]*:([^/@]+)@/i.exec(text)?.[1];
  try {
    return password === undefined ? undefined : decodeURIComponent(password);
  } catch {
    return password;
  }
}

/**
 * The base64 characters that depend only on the secret, for each of its three possible offsets in
 * the encoded data.
 */
function base64Forms(bytes: Buffer): string[] {
  const cores = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  const safe = cores.map((core) => core.replaceAll('+', '-').replaceAll('/', '_'));
  return [...cores, ...cores.map(withSlashesEscaped), ...safe].filter((core) => core.length >= minBase64Length);
}
