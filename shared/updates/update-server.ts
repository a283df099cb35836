import * as z from 'zod';
import { isLoopbackHttp } from '../network-address.ts';

/** Whether updates may be fetched from this address: TLS, except on this computer. No credentials, no query. */
const isUpdateServer = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const { protocol, username, password, search, hash } = url;
  return (
    (protocol === 'https:' || isLoopbackHttp(url)) &&
    [username, password, search, hash].every(one => one === '')
  );
};

/** The folder of a web server that holds the channel files and the packages; null = no updates. */
export const updateServerSchema = z
  .string()
  .trim()
  .max(2048)
  .refine(isUpdateServer, { error: 'https address of a folder' })
  .nullable();
