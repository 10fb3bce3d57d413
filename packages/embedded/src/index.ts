export { errorCode } from './error-code.ts';
export { findFreePort, isPortFree } from './free-port.ts';
export { findPostgres, startPostgres } from './postgres.ts';
export { isAlive, processIdentity } from './process-identity.ts';
export { startRedis } from './redis.ts';
export { makeRuntimeDirectory } from './runtime-directory.ts';
export type { EmbeddedService, ServiceOptions } from './service.ts';
