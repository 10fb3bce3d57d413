import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { nearestSetting } from './nearest-setting.ts';
import { type SettingName, settings } from './settings.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The given settings, as text. */
export type RawEnv = Partial<Record<SettingName, string | undefined>>;

/** Reads our settings from an environment. Blank means absent; other names are ignored. */
export function readEnv(variables: Variables = process.env): RawEnv {
  const env: RawEnv = {};
  for (const name of Object.keys(settings) as SettingName[]) {
    const text = variables[name]?.trim();
    if (text) env[name] = text;
  }
  return env;
}

/** A variable that Sluice does not read, and the setting that was probably meant. */
interface UnknownSetting {
  name: string;
  nearest: SettingName;
}

/**
 * Variables that look like mistyped settings, in alphabetical order. An environment has many other
 * variables, so only names that nearly equal a setting are reported.
 */
export function findUnknownSettings(variables: Variables = process.env): UnknownSetting[] {
  const names = Object.keys(variables).filter((name) => !Object.hasOwn(settings, name));
  return names.sort().flatMap((name) => {
    const nearest = nearestSetting(name);
    return nearest === undefined ? [] : [{ name, nearest }];
  });
}

/** Information about the machine from its environment, as opposed to our settings. */
export interface HostEnvironment {
  /** Directories of `PATH`. */
  searchPath: readonly string[];
  /** Directory for downloads, shared by several homes. */
  cacheDir: string;
}

/** How the command line reaches a server, as opposed to the settings of the service. */
interface ClientEnvironment {
  /** `SLUICE_URL` */
  url: string | undefined;
  /** `SLUICE_API_KEY` */
  apiKey: string | undefined;
  /** `SLUICE_PROFILE` */
  profile: string | undefined;
  /** Directory of the user's configuration. */
  configDir: string;
}

export function readClientEnvironment(variables: Variables = process.env): ClientEnvironment {
  const configHome = variables['XDG_CONFIG_HOME']?.startsWith('/') ? variables['XDG_CONFIG_HOME'] : join(homedir(), '.config');
  const variable = (name: string) => variables[name]?.trim() || undefined;
  return {
    url: variable('SLUICE_URL'),
    apiKey: variable('SLUICE_API_KEY'),
    profile: variable('SLUICE_PROFILE'),
    configDir: join(configHome, 'sluice'),
  };
}

export function readHostEnvironment(variables: Variables = process.env): HostEnvironment {
  const cacheHome = variables['XDG_CACHE_HOME']?.startsWith('/') ? variables['XDG_CACHE_HOME'] : join(homedir(), '.cache');
  return {
    searchPath: (variables['PATH'] ?? '').split(delimiter).filter((directory) => directory !== ''),
    cacheDir: join(cacheHome, 'sluice'),
  };
}

/** The environment for a child process: this process's own, with `changes` applied. */
export function childEnvironment(changes: RawEnv & Variables, variables: Variables = process.env): Record<string, string> {
  const merged = Object.entries({ ...variables, ...changes });
  return Object.fromEntries(merged.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** The listed variables that are set, for expressions. The object has no prototype. */
export function readAllowedEnvironment(
  names: readonly string[],
  variables: Variables = process.env,
): Readonly<Record<string, string>> {
  const allowed = Object.create(null) as Record<string, string>;
  for (const name of names) {
    const value = variables[name];
    if (value !== undefined) allowed[name] = value;
  }
  return Object.freeze(allowed);
}
