import { createHash } from 'node:crypto';

/** A supported HTTP Digest challenge (RFC 7616). */
interface DigestChallenge {
  realm: string;
  nonce: string;
  opaque: string | undefined;
  algorithm: Algorithm;
  /** Algorithm name in the challenge; `undefined` if absent, which means MD5. */
  algorithmName: string | undefined;
  /**
   * `auth-int`: the response also covers the body. `undefined`: an RFC 2069 server, without `qop`.
   */
  qop: 'auth' | 'auth-int' | undefined;
  userhash: boolean;
}

interface DigestResponse {
  user: string;
  password: string;
  method: string;
  /** Path and query. */
  uri: string;
  /** Called only if the response covers the body. */
  body(): string | Uint8Array;
  /** The client's nonce, new for each response. */
  cnonce: string;
}

interface Algorithm {
  hash: 'md5' | 'sha256' | 'sha512-256';
  /** Whether the password hash depends on the nonces. */
  session: boolean;
}

/** Weakest first. */
const algorithms: readonly (readonly [name: string, hash: Algorithm['hash']])[] = [
  ['MD5', 'md5'],
  ['SHA-256', 'sha256'],
  ['SHA-512-256', 'sha512-256'],
];

/** Always the first use: each response has a new nonce from the server. */
const nonceCount = '00000001';

/**
 * The challenge with the strongest algorithm in a `WWW-Authenticate` header; `undefined` if no
 * challenge is supported.
 */
export function strongestChallenge(header: string): DigestChallenge | undefined {
  const challenges = digestParts(header).flatMap((parameters) => readChallenge(parameters) ?? []);
  const strength = ({ algorithm }: DigestChallenge) => algorithms.findIndex(([, hash]) => hash === algorithm.hash);
  return challenges.sort((a, b) => strength(b) - strength(a))[0];
}

/** Value of the `Authorization` header for a challenge. */
export function digestAuthorization(challenge: DigestChallenge, answer: DigestResponse): string {
  const { realm, nonce, opaque, qop, algorithmName, userhash } = challenge;
  const { user, uri, cnonce } = answer;
  const username = userhash ? digest(challenge, `${user}:${realm}`) : user;
  const fields = [
    userhash || isAscii(user) ? `username=${quoted(username)}` : `username*=UTF-8''${encodeURIComponent(user.toWellFormed())}`,
    `realm=${quoted(realm)}`,
    `uri=${quoted(uri)}`,
    ...(algorithmName === undefined ? [] : [`algorithm=${algorithmName}`]),
    `nonce=${quoted(nonce)}`,
    ...(qop === undefined ? [] : [`nc=${nonceCount}`, `cnonce=${quoted(cnonce)}`, `qop=${qop}`]),
    `response=${quoted(responseOf(challenge, answer))}`,
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
    ...(userhash ? ['userhash=true'] : []),
  ];
  return `Digest ${fields.join(', ')}`;
}

/** RFC 7616 §3.4.1 to §3.4.3. */
function responseOf(challenge: DigestChallenge, { user, password, method, uri, body, cnonce }: DigestResponse): string {
  const { realm, nonce, algorithm, qop } = challenge;
  const hash = (text: string | Uint8Array) => digest(challenge, text);
  const base = hash(`${user}:${realm}:${password}`);
  const key = algorithm.session ? hash(`${base}:${nonce}:${cnonce}`) : base;
  const what = hash(qop === 'auth-int' ? `${method}:${uri}:${hash(body())}` : `${method}:${uri}`);
  return hash(qop === undefined ? `${key}:${nonce}:${what}` : `${key}:${nonce}:${nonceCount}:${cnonce}:${qop}:${what}`);
}

function digest({ algorithm }: DigestChallenge, text: string | Uint8Array): string {
  return createHash(algorithm.hash).update(text).digest('hex');
}

function readChallenge(parameters: ReadonlyMap<string, string>): DigestChallenge | undefined {
  const algorithmName = parameters.get('algorithm');
  const [name = 'MD5', session] = (algorithmName ?? 'MD5').toUpperCase().split(/-(?=SESS$)/);
  const hash = algorithms.find(([supported]) => supported === name)?.[1];
  const offered = parameters
    .get('qop')
    ?.toLowerCase()
    .split(/[\s,]+/);
  const qop = (['auth', 'auth-int'] as const).find((candidate) => offered?.includes(candidate));
  const [realm, nonce] = [parameters.get('realm'), parameters.get('nonce')];
  if (hash === undefined || realm === undefined || nonce === undefined || (offered && !qop)) return undefined;
  const userhash = parameters.get('userhash')?.toLowerCase() === 'true';
  const algorithm = { hash, session: session !== undefined };
  return { realm, nonce, opaque: parameters.get('opaque'), algorithm, algorithmName, qop, userhash };
}

/** The parameters of each Digest challenge; skips other schemes between them. */
function digestParts(header: string): Map<string, string>[] {
  const challenges: Map<string, string>[] = [];
  let current: Map<string, string> | undefined;
  const tokens = /([A-Za-z][\w!#$%&'*+.^`|~-]*)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,]+)))?/g;
  for (const [, name = '', inQuotes, bare] of header.matchAll(tokens)) {
    const value = inQuotes?.replace(/\\(.)/g, '$1') ?? bare;
    if (value !== undefined) current?.set(name.toLowerCase(), value);
    else {
      current = name.toLowerCase() === 'digest' ? new Map() : undefined;
      if (current) challenges.push(current);
    }
  }
  return challenges;
}

/** Quotes a value and drops line breaks, which would end the header. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&').replace(/[\r\n]/g, '')}"`;
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}
