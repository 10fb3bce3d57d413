import type { TagView } from '@sluice/contract';
import type { Tag } from '@sluice/db';

export function toTagView({ id, name, createdAt, updatedAt }: Tag): TagView {
  return { id, name, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
