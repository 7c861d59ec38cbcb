"""The papers, a folder for each: all that knows the paper. A paper names another only if it builds on that."""
