import { onTestFinished } from 'vitest';
import { intakeFolder, type IntakeFolder } from './running-intake.ts';

/** An intake for the present test, removed after it. */
export const newIntake = (...given: Parameters<typeof intakeFolder>): IntakeFolder => {
  const intake = intakeFolder(...given);
  onTestFinished(() => intake.remove());
  return intake;
};
