import { createTransport } from 'nodemailer';
import type { AlertsConfig } from '../config/alerts-config.ts';

/** Time limit of each step of one attempt, milliseconds. */
const timeoutMs = 10_000;

/**
 * Sends one e-mail to these recipients. Resolves to those for whom the server accepted it; rejects if there is none.
 * `id`: of the message, the same in every attempt, so that a mailbox can show it once.
 */
export const sendEmail = async (
  email: NonNullable<AlertsConfig['email']>,
  password: string | null,
  { id, to, subject, text }: { id: string; to: readonly string[]; subject: string; text: string },
): Promise<string[]> => {
  const { host, port, tls, user, from } = email;
  const transport = createTransport({
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'off',
    // Not left to a variable of the environment that another program's set-up may have changed.
    tls: { rejectUnauthorized: true },
    ...(user === null ? {} : { auth: { user, pass: password ?? '' } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const domain = from.slice(from.lastIndexOf('@') + 1);
    const sent = await transport.sendMail({
      from,
      to: [...to],
      subject,
      text,
      messageId: `<${id}@${domain}>`,
    });
    const rejected = new Set(sent.rejected.map(one => one.toLowerCase()));
    return to.filter(address => !rejected.has(address.toLowerCase()));
  } finally {
    transport.close();
  }
};
