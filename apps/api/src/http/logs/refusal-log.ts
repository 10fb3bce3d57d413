import type { AuditActor, AuditEntry } from '@sluice/db';
import type { JsonObject } from '@sluice/domain';

/** Milliseconds in which equal refusals write at most two entries: the first, and a count. */
const windowMs = 60_000;
const maxWindows = 10_000;

interface RefusedRequest {
  actor: AuditActor;
  action: 'auth.failure' | 'scope.denied';
  details: JsonObject;
}

/** Writes refused keys and scopes to the audit log; limited, so that attackers cannot flood it. */
export class RefusalLog {
  readonly #record: (entry: AuditEntry) => void;
  readonly #windows = new Map<string, { entry: AuditEntry; repeated: number }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(record: (entry: AuditEntry) => void) {
    this.#record = record;
  }

  /** Refusals are equal if address, key, and details are. */
  note({ actor, action, details }: RefusedRequest): void {
    const kind = JSON.stringify([action, actor.ip, actor.keyId, details]);
    const open = this.#windows.get(kind);
    if (open) {
      open.repeated += 1;
      return;
    }
    if (this.#windows.size >= maxWindows) this.flush();
    const entry = toEntry({ actor, action, details });
    this.#windows.set(kind, { entry, repeated: 0 });
    this.#timer ??= setTimeout(() => this.flush(), windowMs).unref();
    this.#record(entry);
  }

  /** Ends all windows. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const { entry, repeated } of this.#windows.values()) {
      if (repeated > 0) this.#record({ ...entry, requestId: null, details: { ...entry.details, repeated } });
    }
    this.#windows.clear();
  }
}

function toEntry({ actor, action, details }: RefusedRequest): AuditEntry {
  const none = { objectType: null, objectId: null, objectName: null, projectId: null };
  return { ...actor, ...none, action, outcome: 'denied', details };
}
