/** A link that signs a user in to the dashboard, once. */
export interface SignInLinkTable {
  /** SHA-256 of the token; the token itself is not stored. */
  token_hash: Buffer;
  user_id: string;
  expires_at: Date;
}
