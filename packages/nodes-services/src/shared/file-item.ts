import type { Item, JsonObject } from '@sluice/node-sdk';

/** An item with files. */
export class FileItem {
  readonly json: JsonObject;
  readonly binary: NonNullable<Item['binary']>;

  constructor(json: JsonObject, binary: NonNullable<Item['binary']>) {
    this.json = json;
    this.binary = binary;
  }
}
