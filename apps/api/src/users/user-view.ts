import type { UserView } from '@sluice/contract';
import type { User } from '@sluice/db';

export function toUserView({ id, email, role, personalProjectId, createdAt, updatedAt }: User): UserView {
  return { id, email, role, personalProjectId, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
