// The runner copies this file away, so the packages are found by the address of the project.
const modules = `${process.env.STAND_IN_ROOT}/node_modules/@actions`;
const core = await import(`${modules}/core/lib/core.js`);
const { getOctokit, context } = await import(`${modules}/github/lib/github.js`);

const parameters = {
  github: getOctokit(core.getInput('github-token'), { baseUrl: process.env.GITHUB_API_URL }),
  context,
  core,
};
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
try {
  await new AsyncFunction(...Object.keys(parameters), core.getInput('script'))(...Object.values(parameters));
} catch (error) {
  core.setFailed(String(error));
}
