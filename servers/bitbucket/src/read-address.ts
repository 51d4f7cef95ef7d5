import { StartError } from '@errand/server-kit';
import type { Edition } from './api/bitbucket-api.ts';

const cloudUrl = 'https://api.bitbucket.org/2.0';

/** Where a Bitbucket is. */
export interface Address {
  readonly edition: Edition;
  /** What requests are made below. */
  readonly apiUrl: string;
  /** As messages may show it. */
  readonly shownUrl: string;
}

/** Reads which Bitbucket is meant: Cloud by its host or its `/2.0`, else Data Center. */
export function readAddress(given = cloudUrl, edition?: string): Address {
  const url = URL.parse(given);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw unusable(
      `--url ${given.slice(0, 200).replace(/^.*@/s, '…@')} is no web address. Use one such as https://git.example.org/bitbucket.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw unusable('--url holds a user or password. Set BITBUCKET_TOKEN instead.');
  }
  if (edition !== undefined && edition !== 'cloud' && edition !== 'data-center') {
    throw unusable(`--edition ${edition} is unknown. Use cloud or data-center.`);
  }
  const isCloudHost = /(^|\.)bitbucket\.org$/.test(url.hostname);
  const path = url.pathname.replace(/\/+$/, '');
  const isCloud =
    edition === undefined ? isCloudHost || path.endsWith('/2.0') : edition === 'cloud';
  if (isCloud) {
    const apiUrl = isCloudHost ? cloudUrl : `${url.origin}${path}`;
    return { edition: 'cloud', apiUrl, shownUrl: apiUrl };
  }
  const shownUrl = `${url.origin}${path.replace(/\/rest(\/api.*)?$/, '')}`;
  return { edition: 'data-center', apiUrl: `${shownUrl}/rest`, shownUrl };
}

function unusable(sentence: string): StartError {
  return new StartError('usage', sentence);
}
