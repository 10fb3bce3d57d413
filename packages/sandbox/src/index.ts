export * from './api.ts';
export { createSandbox } from './sandbox.ts';
