/** Nobody is at home there: no case may reach GitHub itself. */
export const AWAY: Readonly<Record<string, string>> = { GITHUB_API_URL: 'http://127.0.0.1:9' };

/** Two minutes of patience pass in three seconds. */
export const FAST = 40;
