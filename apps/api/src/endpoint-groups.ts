/** Groups of operations that share a limit for each API key. */
export type OperationGroup = 'read' | 'write' | 'run' | 'credentialTest';

/** Endpoint → its group, where that is not `read` for what only reads and `write` for all else. An entry without a route stops the process at start. */
export const endpointGroups: Readonly<Record<string, OperationGroup>> = {
  'POST /workflows/:id/run': 'run',
  'POST /executions/:id/retry': 'run',
  'POST /node-types/:type/methods/:kind/:method': 'run',
  'POST /credentials/test': 'credentialTest',
};
