import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type ApiClient, createApiClient } from '@sluice/api-client';
import { readClientEnvironment, readEnv, toConfig } from '@sluice/config';
import { ExitError, exitCodes } from '../exit-codes.ts';
import { localUrl } from '../local-url.ts';
import { checkProfile, type Profile, profilesFile, readProfiles } from './profiles.ts';

/** Options of every command that talks to a server. */
export interface ServerOptions {
  profile?: string;
  json: boolean;
}

export interface Server extends Profile {
  api: ApiClient;
}

/**
 * Selects the server of `--profile`, `SLUICE_URL` and `SLUICE_API_KEY`, the default profile, or
 * else this machine.
 */
export async function findServer({ profile: name }: Pick<ServerOptions, 'profile'>): Promise<Server> {
  const profile = await findProfile(name);
  return { ...profile, api: createApiClient(profile) };
}

async function findProfile(name: string | undefined): Promise<Profile> {
  const { url, apiKey, profile: environmentProfile } = readClientEnvironment();
  if (name === undefined && url !== undefined) return checkProfile(withKey({ url, apiKey }), 'SLUICE_URL');
  const { default: defaultName, profiles } = await readProfiles();
  const wanted = name ?? environmentProfile ?? defaultName;
  if (wanted === undefined) return checkProfile(withKey(local(apiKey)), 'this machine');
  const profile = profiles[wanted];
  if (profile) return checkProfile(profile, `the profile "${wanted}" in ${profilesFile()}`);
  throw new ExitError(
    exitCodes.usage,
    `there is no profile "${wanted}" in ${profilesFile()}: add it with \`sluice profiles add\``,
  );
}

/** `sluice up` on this machine, with the key from the settings. */
function local(apiKey: string | undefined): Partial<Profile> & { url: string } {
  const { http, secrets } = toConfig(readEnv());
  const key = apiKey ?? secrets.bootstrapApiKey;
  return { url: localUrl(http.host, http.port), keyHeader: http.keyHeader, ...(key !== null && { apiKey: key }) };
}

function withKey({ apiKey, ...profile }: { url: string; apiKey?: string | undefined; keyHeader?: string }): Profile {
  if (apiKey !== undefined) return { ...profile, apiKey };
  throw new ExitError(
    exitCodes.usage,
    `there is no key for ${profile.url}: set SLUICE_API_KEY, or add a profile (\`sluice profiles add <name> --url ${profile.url}\`); \`sluice keys create\` creates a key`,
  );
}

interface Reply<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/**
 * Resolves to the data of a response. Throws an error with the message of the API or, without a
 * response, one that names the server.
 */
export async function ask<T>({ url }: Server, call: Promise<Reply<T>>): Promise<T> {
  let reply: Reply<T>;
  try {
    reply = await call;
  } catch (error) {
    throw unreachable(url, error);
  }
  if (reply.response.ok) return reply.data as T;
  throw refusal(reply.error, reply.response);
}

const retryMs = 1_000;
/** How long a server may be unreachable while a command follows an execution. */
const patienceMs = 60_000;

/** Repeats a read for up to a minute while the server, perhaps restarting, is unreachable. */
export async function patiently<T>(read: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > deadline) throw error;
    }
    await delay(retryMs);
  }
}

/**
 * Starts an execution. Repeats the request once if there is no response. Thanks to the idempotency
 * key, the server then returns the execution that the first request may have started.
 */
export async function startOnce<T>(start: (header: { 'Idempotency-Key': string }) => Promise<T>): Promise<T> {
  const header = { 'Idempotency-Key': randomUUID() };
  try {
    return await start(header);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
  await delay(retryMs);
  return start(header);
}

export function isUnavailable(error: unknown): boolean {
  return error instanceof ExitError && error.exitCode === exitCodes.unavailable;
}

function unreachable(url: string, error: unknown): ExitError {
  if (error instanceof SyntaxError)
    return new ExitError(exitCodes.failed, `${url} does not respond with JSON: check that it is the address of the service`);
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string };
  return new ExitError(exitCodes.unavailable, `${url} cannot be reached: ${cause?.code || cause?.message || message}`);
}

/** The error of a response, with the request ID, which is also in the server's log. */
function refusal(body: unknown, { status }: Response): ExitError {
  const { message, code, requestId, details } = (body ?? {}) as {
    message?: string;
    code?: string;
    requestId?: string;
    details?: unknown;
  };
  const issues = Array.isArray(details) ? details.map(({ path, message: text }) => `\n  ${path} ${text}`).join('') : '';
  const id = requestId === undefined ? '' : ` (request ${requestId})`;
  const text = `the server responded with ${status}${code === undefined ? '' : ` ${code}`}: ${message ?? 'no message'}${id}${issues}`;
  return new ExitError(status === 503 || status === 429 ? exitCodes.unavailable : exitCodes.failed, text);
}
