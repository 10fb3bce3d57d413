/**
 * Shorter texts are not removed: they occur in data by chance, and replacing them would corrupt it.
 */
export const minFormLength = 4;
const minBase64Length = 6;

/**
 * The forms in which a secret may occur in text: unchanged, URL-encoded, in hexadecimal digits, and
 * in base64; and the same for the password in a connection string. May contain duplicates.
 */
export function formsOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret.toWellFormed());
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const forms = [secret, encoded, encoded.replaceAll('%20', '+'), hex, hex.toUpperCase(), ...base64Forms(bytes)];
  const password = passwordInUrl(secret);
  return password === undefined || password.length < minFormLength ? forms : [...forms, ...formsOf(password)];
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
 * The base64 characters that depend on the secret only, for each of its three possible offsets in
 * the encoded data.
 */
function base64Forms(bytes: Buffer): string[] {
  const cores = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  const safe = cores.map((core) => core.replaceAll('+', '-').replaceAll('/', '_'));
  return [...cores, ...safe].filter((core) => core.length >= minBase64Length);
}
