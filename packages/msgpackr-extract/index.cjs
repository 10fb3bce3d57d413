// msgpackr decodes in JavaScript when this fails to load.
throw new Error('native addons are not used');
