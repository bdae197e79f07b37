import type { Endpoint } from '../../emulator/http.ts';
import { routeService } from '../../emulator/service.ts';

/** @param line a request, as `METHOD /path` */
export function endpointOf(line: string): Endpoint | undefined {
  const [method = '', path = ''] = line.split(' ');
  const { endpoint } = routeService(method, new URL(path, 'http://service.test'), undefined);
  return endpoint === 'unknown' ? undefined : endpoint;
}
