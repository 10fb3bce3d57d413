import type { HeldRegistration, RegistrationSubject } from '@sluice/db';

/** One registration on its way to the service. */
export class RegistrationStep {
  readonly row: HeldRegistration;
  readonly hold: { id: string; heldBy: string };
  readonly subject: RegistrationSubject;
  /** What was at the service may not be there any more, or something is that was not. */
  touched = false;
  /** What may be there in place of what the row says. */
  begun: RegistrationSubject | null;

  constructor(row: HeldRegistration, heldBy: string, subject: RegistrationSubject) {
    this.row = row;
    this.hold = { id: row.id, heldBy };
    this.begun = row.begun;
    this.subject = subject;
  }
}
