import { ConfigError } from './config-error.ts';
import type { RawEnv } from './environment.ts';
import { type SettingName, settings } from './settings.ts';

type Settings = typeof settings;

/** The values of all settings, by the name of their variable. */
export type Values = {
  [Name in SettingName]: ReturnType<Settings[Name]['parse']> | (Settings[Name]['fallback'] extends undefined ? null : never);
};

/** Throws a `ConfigError` that names every invalid setting. */
export function parseValues(env: RawEnv): Values {
  const problems: string[] = [];
  const values: Partial<Record<SettingName, unknown>> = {};
  for (const name of Object.keys(settings) as SettingName[]) {
    const { fallback, parse } = settings[name];
    const text = env[name] ?? fallback;
    try {
      values[name] = text === undefined ? null : parse(text);
    } catch (error) {
      problems.push(`${name} ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  problems.push(...problemsOfS3(values as Values), ...problemsOfShards(values as Values));
  const names = (values.EXPRESSIONS_ENV_ALLOW ?? []) as readonly string[];
  const own = names.filter((name) => Object.hasOwn(settings, name));
  if (own.length > 0) problems.push(`EXPRESSIONS_ENV_ALLOW must not list settings of Sluice: ${own.join(', ')}`);
  if (problems.length > 0) throw new ConfigError(problems);
  return values as Values;
}

/** Problems that several settings cause together. */
function problemsOfS3(values: Values): string[] {
  const problems: string[] = [];
  if (values.BINARY_STORE === 's3' && values.BINARY_S3_BUCKET === null)
    problems.push('BINARY_S3_BUCKET is required with BINARY_STORE=s3');
  if ((values.BINARY_S3_ACCESS_KEY_ID === null) !== (values.BINARY_S3_SECRET_ACCESS_KEY === null))
    problems.push('BINARY_S3_ACCESS_KEY_ID and BINARY_S3_SECRET_ACCESS_KEY must be set together');
  return problems;
}

/** A worker takes at least one execution of each shard at a time. */
function problemsOfShards({ CONCURRENCY: concurrency, QUEUE_SHARDS: shards }: Values): string[] {
  return typeof concurrency === 'number' && concurrency < shards ? ['CONCURRENCY must not be less than QUEUE_SHARDS'] : [];
}
