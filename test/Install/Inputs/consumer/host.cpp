#error compiled
