export { type Config, requireEncryptionKeys, requireServices, toConfig } from './config.ts';
export { ConfigError } from './config-error.ts';
export { renderEnvExample } from './env-example.ts';
export {
  childEnvironment,
  findUnknownSettings,
  type HostEnvironment,
  type RawEnv,
  readAllowedEnvironment,
  readClientEnvironment,
  readEnv,
  readHostEnvironment,
} from './environment.ts';
export { type SettingName, settings } from './settings.ts';
