import { type JsonObject, type JsonValue, type TriggerContext, valueAt, type WorkflowSettings } from '@sluice/node-sdk';

/** A node whose triggers are requested; its expressions are resolved. */
export interface FakeActivation {
  parameters?: JsonObject;
  typeVersion?: number;
  settings?: WorkflowSettings;
}

export function triggerContext({ parameters = {}, typeVersion = 1, settings = {} }: FakeActivation = {}): TriggerContext {
  return {
    node: { name: 'Node', type: 'base.test', position: [0, 0], parameters },
    typeVersion,
    workflow: { id: 'w', name: 'Workflow', settings },
    parameter: <T extends JsonValue>(path: string, _itemIndex: number, fallback?: T) =>
      (valueAt(parameters, path) ?? fallback) as T,
  };
}
