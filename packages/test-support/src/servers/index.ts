export { type Dovecot, startDovecot } from './dovecot.ts';
export { startMariaDb } from './maria-db.ts';
export { startMosquitto } from './mosquitto.ts';
export { type OpenSsh, startOpenSsh } from './open-ssh.ts';
export { startPgBouncer } from './pg-bouncer.ts';
export { findPostgresPrograms, type PostgresServer, startPostgresServer, startStandby } from './postgres-server.ts';
export { type ProFtpd, startProFtpd } from './pro-ftpd.ts';
export { startPrometheus } from './prometheus.ts';
export { startRabbitMq } from './rabbit-mq.ts';
export {
  type RedisCluster,
  type SentinelServers,
  startRedisCluster,
  startRedisServer,
  startSentinelServers,
} from './redis-servers.ts';
export type { TestServer } from './run-server.ts';
export { serverOrSkip } from './server-or-skip.ts';
export { startVsftpd, type Vsftpd } from './vsftpd.ts';
