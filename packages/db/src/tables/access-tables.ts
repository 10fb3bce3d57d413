/** One row: the number of changes to keys, roles, and memberships so far. */
export interface AccessVersionTable {
  only_row: boolean;
  version: string;
}

/** The latest change for each user; written by triggers only. */
export interface AccessChangeTable {
  user_id: string;
  version: string;
}
