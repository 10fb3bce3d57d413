import { ConfigError } from './config-error.ts';
import type { RawEnv } from './environment.ts';
import { apiGroups } from './groups/api-groups.ts';
import { executionGroups } from './groups/execution-groups.ts';
import { limitGroups } from './groups/limit-groups.ts';
import { processGroups } from './groups/process-groups.ts';
import { type SettingName, settings } from './settings.ts';
import { parseValues, type Values } from './values.ts';

/** All settings, validated and grouped; frozen. Names contain the units. */
export type Config = Frozen<ReturnType<typeof grouped>>;

type Frozen<T> = T extends object ? { readonly [Name in keyof T]: Frozen<T[Name]> } : T;

/** Throws a `ConfigError` that names every invalid setting. */
export function toConfig(env: RawEnv): Config {
  return deepFreeze(grouped(parseValues(env), env));
}

function grouped(values: Values, env: RawEnv) {
  return {
    ...processGroups(values),
    ...apiGroups(values),
    ...limitGroups(values),
    ...executionGroups(values),
    /** Names of the settings that differ from their default. */
    changedSettings: changedSettings(env),
    /** Kept separate, so that the rest can be displayed. */
    secrets: {
      bootstrapApiKey: values.BOOTSTRAP_API_KEY,
      /**
       * Master keys as given, the primary one first; `null`: `sluice up` creates one. See
       * `requireEncryptionKeys`.
       */
      encryptionKeys: values.ENCRYPTION_KEY,
      s3: toS3Credentials(values),
    },
  };
}

function changedSettings(env: RawEnv): SettingName[] {
  const names = Object.keys(settings) as SettingName[];
  return names.filter((name) => env[name] !== undefined && env[name] !== settings[name].fallback);
}

/** `null`: the machine's own credentials. */
function toS3Credentials(values: Values) {
  const { BINARY_S3_ACCESS_KEY_ID: accessKeyId, BINARY_S3_SECRET_ACCESS_KEY: secretAccessKey } = values;
  return accessKeyId !== null && secretAccessKey !== null ? { accessKeyId, secretAccessKey } : null;
}

/** Returns the URLs of the two services; throws a `ConfigError` that names the missing ones. */
export function requireServices(config: Config): { databaseUrl: string; redisUrl: string } {
  const { url: databaseUrl } = config.database;
  const { url: redisUrl } = config.redis;
  if (databaseUrl !== null && redisUrl !== null) return { databaseUrl, redisUrl };
  const missing = [databaseUrl === null ? 'DATABASE_URL' : '', redisUrl === null ? 'REDIS_URL' : ''].filter(
    (name) => name !== '',
  );
  throw new ConfigError(missing.map((name) => `${name} is required: only \`sluice up\` runs without it`));
}

/** Returns the master keys; throws a `ConfigError` that names the setting if it is missing. */
export function requireEncryptionKeys({ secrets }: Config): readonly string[] {
  if (secrets.encryptionKeys !== null) return secrets.encryptionKeys;
  throw new ConfigError(['ENCRYPTION_KEY is required: only `sluice up` runs without it']);
}

function deepFreeze<T extends object>(value: T): T {
  for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) deepFreeze(child);
  return Object.freeze(value);
}
