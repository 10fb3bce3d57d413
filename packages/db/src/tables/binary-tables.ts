import type { Generated } from 'kysely';

/** An execution that holds a file. The bytes are in the storage of files, under the id. */
export interface BinaryDataTable {
  /** Of the file; several executions may hold it, each with a row of its own. */
  id: string;
  execution_id: string;
  file_name: string | null;
  mime_type: string;
  /** Bytes, a decimal string; null: they are not all there yet, or never came. */
  size: string | null;
  created_at: Generated<Date>;
}

/** A row of `binary_data` that was deleted, written by a trigger: if no execution holds the file any more, its bytes have to go. */
export interface BinaryLeftoverTable {
  seq: Generated<string>;
  binary_id: string;
  /** Whether the bytes were not all there. They are looked for later: who was writing them must have noticed first. */
  interrupted: boolean;
  due_at: Date;
}
