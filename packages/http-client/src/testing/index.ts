export { selfSigned } from './certificate.ts';
export { type LoopbackServer, listening } from './loopback-server.ts';
export { LoopbackService } from './loopback-service.ts';
