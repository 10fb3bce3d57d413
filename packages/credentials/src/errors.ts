import { AppError } from '@sluice/domain';

/** No credential has this id and type. */
export class CredentialNotFoundError extends AppError {
  constructor(id: string, type: string) {
    super({ code: 'CREDENTIAL_NOT_FOUND', message: `there is no credential ${id.slice(0, 64)} of type "${type}"` });
  }
}

/** The project of the caller neither owns the credential nor has it shared. */
export class CredentialNotAccessibleError extends AppError {
  constructor(id: string) {
    const message = `credential ${id.slice(0, 64)} may not be used here: the workflow's project neither owns it nor has it shared`;
    super({ code: 'CREDENTIAL_NOT_ACCESSIBLE', message });
  }
}
