import type { Generated } from 'kysely';

/** An execution that references a file. The bytes are in the file storage, under the id. */
export interface BinaryDataTable {
  /** Id of the file; several executions may reference it, each with its own row. */
  id: string;
  execution_id: string;
  file_name: string | null;
  mime_type: string;
  /** Size in bytes as a decimal string; null while the upload is incomplete. */
  size: string | null;
  created_at: Generated<Date>;
}

/**
 * A deleted row of `binary_data`, written by a trigger: if no other execution references the file,
 * its bytes must be deleted.
 */
export interface BinaryLeftoverTable {
  seq: Generated<string>;
  binary_id: string;
  /**
   * Whether the upload was incomplete. Such files are deleted later, after the uploading process
   * has noticed.
   */
  interrupted: boolean;
  due_at: Date;
}
