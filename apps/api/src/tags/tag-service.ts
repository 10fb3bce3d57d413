import type { ListTagsQuery } from '@sluice/contract';
import type { Tag, TagRepository } from '@sluice/db';
import type { Caller } from '../auth/caller.ts';
import type { Page } from '../paging/page.ts';
import { pageByCreation } from '../paging/page-by-creation.ts';

/**
 * Tags of the instance. Callers who may list workflows can read them; callers who may update
 * workflows can change them, unless they are used in projects in which the caller is not an editor.
 */
export class TagService {
  readonly #tags: TagRepository;

  constructor({ tags }: { tags: TagRepository }) {
    this.#tags = tags;
  }

  async list(query: ListTagsQuery): Promise<Page<Tag>> {
    return pageByCreation('tags', query, (page) => this.#tags.list(page));
  }

  async get(id: string): Promise<Tag> {
    return this.#tags.get(id);
  }

  async create(name: string): Promise<Tag> {
    return this.#tags.create(name);
  }

  async rename(id: string, name: string, caller: Caller): Promise<Tag> {
    return this.#tags.rename(id, name, caller.access['project:editor']);
  }

  async delete(id: string, caller: Caller): Promise<Tag> {
    return this.#tags.delete(id, caller.access['project:editor']);
  }
}
