import { text } from 'node:stream/consumers';
import { printResult, printTable } from '../administration/print.ts';
import { ExitError, exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { checkProfile, profilesFile, readProfiles, writeProfiles } from './profiles.ts';

export interface AddProfileOptions {
  url: string;
  /** Default: read from standard input, where other users of the machine cannot see it. */
  key?: string;
  header?: string;
  json: boolean;
}

/** Adds or replaces a profile. The first profile is the default. */
export async function addProfile(
  name: string,
  { url, key, header, json }: AddProfileOptions,
  terminal: Terminal,
): Promise<void> {
  if (!/^[\w.-]{1,64}$/.test(name))
    throw new ExitError(exitCodes.usage, 'the name of a profile must have 1 to 64 letters, digits, _, ., or -');
  if (key === undefined && process.stdin.isTTY) terminal.warn('paste the API key, then press Enter and Ctrl-D');
  const apiKey = (key ?? (await text(process.stdin))).trim();
  if (apiKey === '') throw new ExitError(exitCodes.usage, 'the key is missing: pass it on standard input, or with --key');
  const { default: defaultName = name, profiles } = await readProfiles();
  const profile = checkProfile({ url, apiKey, ...(header !== undefined && { keyHeader: header }) }, '--url');
  profiles[name] = profile;
  await writeProfiles({ default: defaultName, profiles });
  const isDefault = defaultName === name;
  printResult(terminal, {
    json,
    document: { name, url: profile.url, default: isDefault },
    lines: [['added', `${name}  ${profile.url}  in ${profilesFile()}${isDefault ? ' (the default)' : ''}`]],
  });
}

export async function listProfiles({ json }: { json: boolean }, terminal: Terminal): Promise<void> {
  const { default: defaultName, profiles } = await readProfiles();
  const documents = Object.entries(profiles).map(([name, { url }]) => ({ name, url, default: name === defaultName }));
  const rows = documents.map((profile) => [profile.name, profile.url, profile.default ? 'default' : '']);
  printTable(terminal, { json, documents, rows });
}

export async function useProfile(name: string, { json }: { json: boolean }, terminal: Terminal): Promise<void> {
  const { profiles } = await readProfiles();
  assertProfile(profiles, name);
  await writeProfiles({ default: name, profiles });
  printResult(terminal, { json, document: { name }, lines: [['default', name]] });
}

export async function removeProfile(name: string, { json }: { json: boolean }, terminal: Terminal): Promise<void> {
  const { default: defaultName, profiles } = await readProfiles();
  assertProfile(profiles, name);
  delete profiles[name];
  await writeProfiles({ ...(defaultName !== undefined && defaultName !== name && { default: defaultName }), profiles });
  printResult(terminal, { json, document: { name }, lines: [['removed', name]] });
}

function assertProfile(profiles: object, name: string): void {
  if (!(name in profiles)) throw new ExitError(exitCodes.usage, `there is no profile "${name}" in ${profilesFile()}`);
}
