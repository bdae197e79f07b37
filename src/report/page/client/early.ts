/** Runs before the files are read: shows the controls that need scripts, and on a phone folds what is above the issues. */
document.documentElement.classList.add('has-scripts');
if (innerWidth < 760) for (const one of document.querySelectorAll('details.fold')) one.removeAttribute('open');
