import type { CredentialType } from '@sluice/node-sdk';

/**
 * Modules of the credential types that use their own protocol. A thread loads only the module that
 * it needs.
 */
export const connectionTypes: Readonly<Record<string, () => Promise<CredentialType>>> = {
  amqp: async () => (await import('./amqp.ts')).amqp,
  ftp: async () => (await import('./ftp.ts')).ftp,
  imap: async () => (await import('./imap.ts')).imap,
  kafka: async () => (await import('./kafka.ts')).kafka,
  mongoDb: async () => (await import('./mongo-db.ts')).mongoDb,
  mqtt: async () => (await import('./mqtt.ts')).mqtt,
  mySql: async () => (await import('./my-sql.ts')).mySql,
  postgres: async () => (await import('./postgres.ts')).postgres,
  rabbitmq: async () => (await import('./rabbitmq.ts')).rabbitmq,
  redis: async () => (await import('./redis.ts')).redis,
  sftp: async () => (await import('./sftp.ts')).sftp,
  smtp: async () => (await import('./smtp.ts')).smtp,
  sshPassword: async () => (await import('./ssh.ts')).sshPassword,
  sshPrivateKey: async () => (await import('./ssh.ts')).sshPrivateKey,
};
