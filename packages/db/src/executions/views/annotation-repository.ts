import type { ExecutionId } from '@sluice/domain';
import type { Kysely, Transaction } from 'kysely';
import type { Access } from '../../access.ts';
import { inTransaction } from '../../statements/in-transaction.ts';
import { touchedIn } from '../../statements/touched.ts';
import type { Tables } from '../../tables/tables.ts';
import { annotationTags, replaceTags } from '../../tag-links.ts';
import { keepExecution } from './get-execution.ts';
import type { Annotation } from './shown-execution.ts';

/** Votes and tags that users give to executions. */
export class AnnotationRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /**
   * Replaces the given parts. Throws `NotFoundError`, `ForbiddenError` for an execution in a
   * project outside `access`, and `ValidationError` for tags that do not exist.
   */
  async annotate(executionId: ExecutionId, access: Access, { tags, vote }: Partial<Annotation>): Promise<void> {
    await inTransaction(this.#db, async (tx) => {
      await keepExecution(tx, executionId, access);
      await store(tx, executionId, vote);
      if (tags) await replaceTags(tx, annotationTags, { ownerId: executionId, tagIds: tags, path: '/annotation/tags' });
      await removeEmpty(tx, executionId);
      return { id: executionId };
    });
  }
}

/** Creates or locks the row, so that annotations of one execution are serialized. */
async function store(tx: Transaction<Tables>, executionId: ExecutionId, vote: Annotation['vote'] | undefined): Promise<void> {
  const changes = { updated_at: touchedIn('execution_annotations'), ...(vote !== undefined && { vote }) };
  await tx
    .insertInto('execution_annotations')
    .values({ execution_id: executionId, vote: vote ?? null })
    .onConflict((conflict) => conflict.column('execution_id').doUpdateSet(changes))
    .execute();
}

async function removeEmpty(tx: Transaction<Tables>, executionId: ExecutionId): Promise<void> {
  await tx
    .deleteFrom('execution_annotations')
    .where('execution_id', '=', executionId)
    .where('vote', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('execution_annotation_tags').select('tag_id').where('execution_id', '=', executionId))),
    )
    .execute();
}
