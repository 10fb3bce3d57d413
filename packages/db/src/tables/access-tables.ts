/** One row: how many changes of keys, roles and memberships there have been. */
export interface AccessVersionTable {
  only_row: boolean;
  version: string;
}

/** The latest change that concerns each user; written by triggers only. */
export interface AccessChangeTable {
  user_id: string;
  version: string;
}
