/** What polls and listeners keep, and which worker has one now. A row stays when its workflow is deactivated; its `triggers` row does not. */
export interface TriggerSourceTable {
  workflow_id: string;
  node_name: string;
  ordinal: number;
  /** By which the node is known where it gets another name; null: it has none, or it is not known. */
  node_id: string | null;
  /** Of what the cursor belongs to: type, parameters and credentials of the node. */
  fingerprint: string;
  /** The node's type, where that is of an installed package, as in `worker_types`; null: of none, or it is not known. */
  foreign_type: string | null;
  /** JSON, encoded by `codec.ts`; null: it has kept nothing. */
  cursor: Buffer | null;
  /** Who may write for it: a new id each time that a worker takes it. Null: nobody has it. */
  hold_id: string | null;
  /** For people to read. */
  worker_id: string | null;
  /** Database time; after it anybody may take it. */
  held_until: Date | null;
  /** When it last polled or began to listen, or started something. */
  last_success_at: Date | null;
}
